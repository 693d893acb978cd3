import { Agent } from 'node:http';
import axios from 'axios';
import { walker } from './walk.mjs';

export function open() {
  const httpAgent = new Agent({ keepAlive: true });
  const client = axios.create({ httpAgent });
  return walker(async (url) => (await client.get(url)).data, { close: () => httpAgent.destroy() });
}
