/** The cache of networks, under their addresses: the worker that thinks keeps those that are played, the service worker the others. */
export const WEIGHTS_CACHE = "azulejos-weights";
