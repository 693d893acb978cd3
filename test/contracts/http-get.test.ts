import { createTransport } from '../../src/transport/index.ts';
import { httpGetContract } from './http-get.contract.ts';
import { httpGetCacheContract } from './http-get-cache.contract.ts';
import { httpGetRoutesContract } from './http-get-routes.contract.ts';
import { httpSendContract } from './http-send.contract.ts';

httpGetContract('ky', createTransport);
httpGetRoutesContract('ky', createTransport);
httpGetCacheContract('ky', createTransport);
httpSendContract('ky', createTransport);
