import { createTransport } from '../../src/transport/index.ts';
import { httpGetContract } from './http-get.contract.ts';

httpGetContract('ky', createTransport);
