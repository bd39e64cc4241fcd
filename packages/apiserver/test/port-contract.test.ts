import { describeClientPort } from '../../../test/contract/port/describe-client-port.ts';
import { createFixture } from './registry/support.ts';
import { flushPromises } from './store/support.ts';

/** Runs the contract tests of `ClientPort` against the registry, without HTTP. */
describeClientPort('in process', async () => {
  const { port, store, clock } = await createFixture();
  return {
    port,
    namespace: 'shop',
    compact: () => store.compact(store.revision),
    async passTime(milliseconds) {
      await flushPromises();
      clock.advance(milliseconds);
    },
  };
});
