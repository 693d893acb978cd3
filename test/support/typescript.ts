const loader = new URL('typescript-loader.mjs', import.meta.url).href;

/** Arguments with which Node runs the TypeScript sources. */
export const TYPESCRIPT = [
  '--import',
  `data:text/javascript,import { register } from 'node:module'; register('${loader}');`,
];
