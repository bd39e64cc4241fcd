import { describe, expect, onTestFinished, test } from 'vitest';
import { dnsSettingsOf } from '../src/options.ts';
import { openTcp, type TcpFace } from '../src/tcp.ts';
import { answerFrom, connectTo, frame, queryOf } from './support.ts';

async function open(port = 0): Promise<{ face: TcpFace; place: { address: string; port: number } }> {
  const settings = dnsSettingsOf({ answer: answerFrom, limits: { connections: 2 } });
  const face = await openTcp(settings, port, { respond: (packet) => [packet, packet] }, new AbortController().signal);
  onTestFinished(() => face.close());
  return { face, place: { address: settings.address, port: face.port } };
}

describe('connections', () => {
  test('are counted, and each is told all that there is to say', async () => {
    const { face, place } = await open();
    const [one, two] = [connectTo(place), connectTo(place)];
    for (const { socket } of [one, two]) socket.write(frame(queryOf()));
    expect([(await one.received(2)).length, (await two.received(2)).length, face.connections]).toEqual([2, 2, 2]);
    one.socket.destroy();
    await one.closed;
    while (face.connections > 1) await new Promise(setImmediate);
    expect(face.connections).toBe(1);
  });

  test('are ended by closing', async () => {
    const { face, place } = await open();
    const client = connectTo(place);
    client.socket.write(frame(queryOf()));
    await client.received(1);
    await face.close();
    await client.closed;
    expect(face.connections).toBe(0);
  });
});

test('a port that is taken is an error', async () => {
  const { face } = await open();
  await expect(open(face.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
