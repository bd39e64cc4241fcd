import { describeClientPort } from '../../../test/contract/port/describe-client-port.ts';
import { createWorld } from './registry/support.ts';
import { settle } from './store/support.ts';

describeClientPort('in process', async () => {
  const { port, store, clock } = await createWorld();
  return {
    port,
    namespace: 'shop',
    compact: () => store.compact(store.revision),
    async passTime(milliseconds) {
      await settle();
      clock.advance(milliseconds);
    },
  };
});
