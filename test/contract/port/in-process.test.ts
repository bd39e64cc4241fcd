import { createWorld } from '../../apiserver/registry/support.ts';
import { settle } from '../../apiserver/store/support.ts';
import { describeClientPort } from './describe-client-port.ts';

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
