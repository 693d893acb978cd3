// The library with the resolver that Node's own clients use.
export { open } from './skillscout.mjs';
