completion tcsh
