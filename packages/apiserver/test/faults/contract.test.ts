import { describeClientPort } from '../../../../test/contract/port/describe-client-port.ts';
import { createFaults, type FaultRule } from '../../src/faults/index.ts';
import { createFixture } from '../registry/support.ts';
import { flushPromises } from '../store/support.ts';

const rules: readonly FaultRule[] = [
  { fault: 'internalError', when: { chance: 0 } },
  { fault: 'dropWatch', when: { chance: 0 } },
];

describePortWithFaults('without rules', []);
describePortWithFaults('with rules that never apply', rules);

function describePortWithFaults(suffix: string, faultRules: readonly FaultRule[]): void {
  describeClientPort(`with fault injection ${suffix}`, async () => {
    const { port, store, clock } = await createFixture();
    return {
      port: createFaults({ clock, store, rules: faultRules }).port(port),
      namespace: 'shop',
      compact: () => store.compact(store.revision),
      async passTime(milliseconds) {
        await flushPromises();
        clock.advance(milliseconds);
      },
    };
  });
}
