import tests/import/recipe.py --cluster 16xH100
