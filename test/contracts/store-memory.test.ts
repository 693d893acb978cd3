import { createMemoryStore } from '../../src/registry/index.ts';
import { storeContract, storePropertiesContract } from './store.contract.ts';

storeContract('memory', async () => createMemoryStore());
storePropertiesContract('memory', async () => createMemoryStore());
