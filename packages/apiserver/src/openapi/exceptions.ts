interface Exceptions {
  /** Fields without omitempty that are optional. */
  readonly optionalFields: ReadonlySet<string>;
  /** Fields with omitempty that are required. */
  readonly requiredFields: ReadonlySet<string>;
  readonly defaults: ReadonlyMap<string, unknown>;
}

/** Markers in the API's Go source that override what follows from the types (1.36). */
export const exceptions: Exceptions = {
  optionalFields: new Set([
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
  requiredFields: new Set([
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
