// The resolver of agent cards reads any JSON document at any path: it gets those of the providers, one after the other.
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { walker } from './walk.mjs';

export function open() {
  const resolver = new DefaultAgentCardResolver();
  return walker((url) => resolver.resolve(url, new URL(url).pathname));
}
