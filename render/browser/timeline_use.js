/* timeline_use */
