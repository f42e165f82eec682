# What Bob types in `kubectl edit`: the release's number becomes a word.
sed -i 's/^\( *value: \)"1"$/\1edited/' "$1"
