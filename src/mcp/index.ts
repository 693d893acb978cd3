export { type HttpOptions, serveHttp } from './http.ts';
export type { Served } from './server.ts';
export { type StdioOptions, serveStdio } from './stdio.ts';
