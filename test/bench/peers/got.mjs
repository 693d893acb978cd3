import { Agent } from 'node:http';
import got from 'got';
import { walker } from './walk.mjs';

export function open() {
  const agent = new Agent({ keepAlive: true });
  const client = got.extend({ agent: { http: agent } });
  return walker((url) => client(url).json(), { close: () => agent.destroy() });
}
