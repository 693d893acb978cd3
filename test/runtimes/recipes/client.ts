import { createClient } from 'skillscout';

export const client = createClient({
  invocation: {
    approve: ({ skill, inputs }) => skill.domain === 'language.example' && !('password' in inputs),
  },
});
await client.crawlAll(['language.example']);
