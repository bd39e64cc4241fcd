/** Kubernetes' protobuf encoding, which its own clients use for built-in kinds. */
export { createProtobufEncoder, encodeProtobuf, encodeWatchEvent, type ProtobufEncoder } from './encoder.ts';
export { type ProtobufBody, readProtobuf } from './envelope.ts';
