import { PROTOBUF } from '../compare/protobuf.ts';
import { post, type Step, withAccept, withContentType } from '../compare/step.ts';

/** Protobuf bodies that cannot be read, that have no kind, or that have unknown fields. */
export function malformedBodies(configMaps: string): Step[] {
  const postBytes = (bytes: readonly number[], accept = 'application/json'): Step =>
    withAccept(accept, withContentType(PROTOBUF, post(configMaps, Uint8Array.from(bytes))));
  const postContent = (content: readonly number[]): Step => postBytes([...prefix, ...typeMeta('v1', 'ConfigMap'), ...content]);
  return [
    postBytes([]),
    postBytes(text('{}')),
    postBytes(text('{}'), PROTOBUF),
    postBytes(prefix),
    postBytes([...prefix, ...typeMeta('v1', 'ConfigMap')]),
    postBytes([...prefix, ...typeMeta('v1', 'ConfigMap').slice(0, -1)]),
    postBytes([...prefix, ...typeMeta('v1', 'None'), ...field(2, [])]),
    postBytes([...prefix, ...typeMeta('v2', 'ConfigMap'), ...field(2, [])]),
    postBytes([...prefix, ...typeMeta('v1', 'Pod'), ...field(2, [0x0a, 5])]),
    postContent(field(2, [0x0a, 5, 0x0a])),
    postContent(field(2, [0x08, 5])),
    postContent(field(2, [0x0c])),
    postContent(field(2, [0x02, 0])),
    postContent(field(2, field(1, [0x28, 1]))),
    postContent(field(2, field(1, field(8, field(1, [1]))))),
    postBytes([...prefix, ...field(2, field(1, field(1, text('no-kind'))))]),
    postBytes([...prefix, ...typeMeta('a/b/c', ''), ...field(2, field(1, field(1, text('no-version'))))]),
    postContent([...field(2, [...field(1, field(1, text('unknown'))), ...field(9, [1])]), ...field(5, [])]),
    { ...postContent(field(2, [...field(1, field(1, text('strict'))), ...field(9, [1])])), path: `${configMaps}?fieldValidation=Strict` },
  ];
}

const text = (value: string): number[] => [...Buffer.from(value)];
const field = (number: number, content: readonly number[]): number[] => [number * 8 + 2, content.length, ...content];
const prefix = text('k8s\0');
const typeMeta = (apiVersion: string, kind: string): number[] => field(1, [...field(1, text(apiVersion)), ...field(2, text(kind))]);
