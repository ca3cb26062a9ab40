
Bv20Jš;AæIA