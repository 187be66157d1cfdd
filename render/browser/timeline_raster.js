/* timeline_raster */
