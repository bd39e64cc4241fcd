interface Exceptions {
  /** Always written, and yet need not be there. */
  readonly optional: ReadonlySet<string>;
  /** Left out where they are empty, and yet have to be there. */
  readonly required: ReadonlySet<string>;
  readonly defaults: ReadonlyMap<string, unknown>;
}

/** What the API's authors have said of fields in so many words, where the types alone would mean something else (1.36). */
export const exceptions: Exceptions = {
  optional: new Set([
    'authentication.TokenRequest.spec',
    'authentication.TokenRequestSpec.audiences',
    'authentication.TokenRequestStatus.expirationTimestamp',
    'authentication.TokenRequestStatus.token',
    'core.ContainerImage.names',
    'core.Event.reportingComponent',
    'core.Event.reportingInstance',
    'core.GRPCAction.service',
    'core.NodeRuntimeHandler.name',
    'core.ProjectedVolumeSource.sources',
    'core.TypedLocalObjectReference.apiGroup',
    'core.TypedObjectReference.apiGroup',
    'discovery.EndpointSlice.endpoints',
    'discovery.EndpointSlice.ports',
    'events.Event.metadata',
  ]),
  required: new Set([
    'core.ContainerRestartRule.action',
    'core.ContainerRestartRuleOnExitCodes.operator',
    'core.ImageVolumeStatus.imageRef',
    'core.PodCertificateProjection.keyType',
    'core.PodCertificateProjection.signerName',
  ]),
  defaults: new Map<string, unknown>([
    ['autoscaling.ScaleSpec.replicas', 0],
    ['core.AzureDiskVolumeSource.cachingMode', 'ReadWrite'],
    ['core.AzureDiskVolumeSource.fsType', 'ext4'],
    ['core.AzureDiskVolumeSource.kind', 'Shared'],
    ['core.AzureDiskVolumeSource.readOnly', false],
    ['core.ConfigMapEnvSource.name', ''],
    ['core.ConfigMapKeySelector.name', ''],
    ['core.ConfigMapProjection.name', ''],
    ['core.ConfigMapVolumeSource.name', ''],
    ['core.FileKeySelector.optional', false],
    ['core.GRPCAction.service', ''],
    ['core.ISCSIVolumeSource.iscsiInterface', 'default'],
    ['core.LocalObjectReference.name', ''],
    ['core.RBDVolumeSource.keyring', '/etc/ceph/keyring'],
    ['core.RBDVolumeSource.pool', 'rbd'],
    ['core.RBDVolumeSource.user', 'admin'],
    ['core.ScaleIOVolumeSource.fsType', 'xfs'],
    ['core.ScaleIOVolumeSource.storageMode', 'ThinProvisioned'],
    ['core.SecretEnvSource.name', ''],
    ['core.SecretKeySelector.name', ''],
    ['core.SecretProjection.name', ''],
    ['core.ContainerPort.protocol', 'TCP'],
    ['core.ServicePort.protocol', 'TCP'],
  ]),
};
