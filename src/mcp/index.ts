export { type HttpOptions, serveHttp } from './http.ts';
export type { Served } from './server.ts';
export { serveStdio } from './stdio.ts';
