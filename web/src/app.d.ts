declare const __PSEUDO__: boolean;
