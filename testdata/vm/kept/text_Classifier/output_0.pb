
BoutputJ 6¼Âu]>þ6¢>