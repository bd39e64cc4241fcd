import { type Mutation, type Mutations, mistype, removeSlices } from './mutation.ts';
import { type Application, isExternalName, isManaged, type SliceObject } from './objects.ts';

const written = (cause: Mutation['cause'], change: (slice: SliceObject, application: Application) => void): Mutation => ({
  cause,
  applies: (application) => !isManaged(application) && !isExternalName(application),
  apply(application) {
    for (const slice of application.slices) change(slice, application);
  },
});

const external = (cause: Mutation['cause'], change: (name: string, typo: (text: string) => string) => string): Mutation => ({
  cause,
  applies: (application) => isExternalName(application) && application.service.spec.externalName?.endsWith('.svc.cluster.local') === true,
  apply({ service }, _, random) {
    service.spec.externalName = change(service.spec.externalName ?? '', (text) => mistype(text, random));
  },
});

/** Mistakes in Services without a selector: in their slices, or in the name of another host. */
export const writtenMutations: Mutations = {
  noSlice: written('NoEndpointsWritten', (_, application) => removeSlices(application)),
  sliceLabel: written('NoEndpointsWritten', (slice) => {
    slice.metadata.labels['kubernetes.io/service-name'] = 'legcay';
  }),
  sliceNotReady: written('NoEndpointsWritten', (slice) => {
    for (const { conditions } of slice.endpoints) conditions.ready = false;
  }),
  sliceHostNames: written('NoEndpointsWritten', (slice) => {
    slice.addressType = 'FQDN';
    slice.endpoints = [{ addresses: ['db.example.com'], conditions: { ready: true } }];
  }),
  sliceFamily: written('NoEndpointsWritten', (slice) => {
    slice.addressType = 'IPv6';
    slice.endpoints = [{ addresses: ['2001:db8::1'], conditions: { ready: true } }];
  }),
  slicePortName: written('WrittenPortsDiffer', (slice) => {
    for (const port of slice.ports) port.name = 'pg';
  }),
  slicePortProtocol: written('WrittenPortsDiffer', (slice) => {
    for (const port of slice.ports) port.protocol = 'UDP';
  }),
  externalService: external('ExternalNameNotFound', (name, typo) => name.replace(/^[^.]+/, (text) => `${typo(text)}x`)),
  externalNamespace: external('ExternalNameNotFound', (name, typo) =>
    name.replace(/\.(\w+)\.svc/, (_, text: string) => `.${typo(text)}x.svc`),
  ),
  externalWithoutDomain: external('ExternalNameIncomplete', (name) => name.replace('.cluster.local', '')),
  externalWithoutNamespace: external('ExternalNameIncomplete', (name) => name.replace('.svc.cluster.local', '')),
  externalDomain: external('ExternalNameIncomplete', (name) => name.replace('.local', '.locla')),
};
