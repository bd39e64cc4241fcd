import { describe, expect, it } from 'vitest';
import { createAgents } from '../../../src/admission/webhooks/agents.ts';

const server = (host: string) => ({ host, serverName: 'hook.shop.svc' });

describe('agents', () => {
  it('are the same for the same server, and others for others', async () => {
    const agents = createAgents();
    const agent = await agents.agentFor(server('a:443'));
    expect(await agents.agentFor(server('a:443'))).toBe(agent);
    expect(await agents.agentFor(server('b:443'))).not.toBe(agent);
    expect(await agents.agentFor({ ...server('a:443'), serverName: 'other' })).not.toBe(agent);
    agents.close();
    expect(await agents.agentFor(server('a:443'))).not.toBe(agent);
  });

  it('are one where two are asked for at once', async () => {
    const agents = createAgents();
    const [one, two] = await Promise.all([agents.agentFor(server('a:443')), agents.agentFor(server('a:443'))]);
    expect(one).toBe(two);
  });

  it('make room: the one that was used least recently goes', async () => {
    const agents = createAgents();
    const first = await agents.agentFor(server('first:443'));
    const second = await agents.agentFor(server('second:443'));
    for (let i = 0; i < 198; i++) await agents.agentFor(server(`${i}:443`));
    expect(await agents.agentFor(server('first:443'))).toBe(first);
    await agents.agentFor(server('one too many:443'));
    expect(await agents.agentFor(server('first:443'))).toBe(first);
    expect(await agents.agentFor(server('second:443'))).not.toBe(second);
  });
});
