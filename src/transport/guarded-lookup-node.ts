import type { LookupFunction } from 'node:net';
import type { AddressPolicy } from './address-policy.ts';
import { AddressRefusedError, NameResolutionError } from './failures.ts';
import type { Lookup } from './network.ts';

/**
 * For connectors: resolves all addresses, and fails when the policy refuses any one of them. Only what was judged is dialled, so a
 * name that changes its address meanwhile gains nothing.
 */
export function guardedLookup(lookup: Lookup, judgeAddress: AddressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found, family = 4) => {
      if (error) return callback(new NameResolutionError(hostname, { cause: error }), []);
      const addresses = typeof found === 'string' ? [{ address: found, family }] : found;
      const isList = Array.isArray(addresses) && addresses.every((each) => typeof each?.address === 'string');
      const [first] = isList ? addresses : [];
      if (first === undefined) return callback(new NameResolutionError(`${hostname} has no address`), []);
      for (const { address } of addresses) {
        const reason = judgeAddress(address);
        if (reason !== undefined) {
          const message = `${hostname} is not opened: it resolves to ${address}, which is ${reason}`;
          return callback(new AddressRefusedError(message), []);
        }
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
