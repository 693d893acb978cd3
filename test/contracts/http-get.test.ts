import { createTransport } from '../../src/transport/index.ts';
import type { TransportFactory } from '../transport/support.ts';
import { httpGetContract } from './http-get.contract.ts';
import { httpGetCacheContract } from './http-get-cache.contract.ts';
import { httpGetRoutesContract } from './http-get-routes.contract.ts';
import { httpSendContract } from './http-send.contract.ts';

for (const transport of ['node', 'ky'] as const) {
  const create: TransportFactory = (options) => createTransport({ transport, ...options });
  httpGetContract(transport, create);
  httpGetRoutesContract(transport, create);
  httpGetCacheContract(transport, create);
  httpSendContract(transport, create);
}
