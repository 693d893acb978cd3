// The floor: node:http and JSON.parse. No time limit, no redirects, nothing checked, nothing kept but what was parsed.
import { Agent, get } from 'node:http';
import { walker } from './walk.mjs';

export function open() {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });

  const getJson = (url) =>
    new Promise((resolve, reject) => {
      get(url, { agent }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
        response.on('error', reject);
      }).on('error', reject);
    });

  return walker(getJson, { close: () => agent.destroy() });
}
