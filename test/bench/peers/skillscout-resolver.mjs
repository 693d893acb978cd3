import { open as openDefault } from './skillscout.mjs';

/** With the library's own way to resolve names. */
export const open = (options) => openDefault({ ...options, ownResolver: true });
