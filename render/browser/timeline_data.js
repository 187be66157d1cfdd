/* timeline_data */
