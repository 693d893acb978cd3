import { createMemoryStore } from '../../src/registry/index.ts';
import { storeContract } from './store.contract.ts';

storeContract('memory', async () => createMemoryStore());
