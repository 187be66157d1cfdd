/* timeline_view */
