import { describe } from 'vitest';
import type { Store } from '../../src/registry/index.ts';
import { storeHistoryContract } from './store-history.contract.ts';
import { storeModelContract } from './store-model.contract.ts';
import { storeQueriesContract } from './store-queries.contract.ts';
import { storeRecordsContract } from './store-records.contract.ts';
import { storeTrustContract } from './store-trust.contract.ts';

/** What every store must do, however it keeps its records. `open` gives a new, empty one. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  describe(`Store: ${name}`, () => {
    storeRecordsContract(open);
    storeQueriesContract(open);
    storeHistoryContract(open);
  });
}

/** The rest of it, with properties over many stores: for a test file of its own, so that files take about as long as others. */
export function storePropertiesContract(name: string, open: () => Promise<Store>): void {
  describe(`Store: ${name}`, () => {
    storeTrustContract(open);
    storeModelContract(open);
  });
}
