import { open as openDefault } from './skillscout.mjs';

export const open = (options) => openDefault({ ...options, transport: 'ky' });
