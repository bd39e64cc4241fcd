/** The types of volumes (Kubernetes 1.36); type-text.ts describes the notation. */
export const volumeTypes = `
AWSElasticBlockStoreVolumeSource
  fsType:s partition:n readOnly:b volumeID:s
AzureDiskVolumeSource
  cachingMode:s diskName:s diskURI:s fsType:s kind:s readOnly:b
AzureFileVolumeSource
  readOnly:b secretName:s shareName:s
CSIVolumeSource
  driver:s fsType:s nodePublishSecretRef:*LocalObjectReference readOnly:b volumeAttributes:{}s
CephFSVolumeSource
  monitors:[]s path:s readOnly:b secretFile:s secretRef:*LocalObjectReference user:s
CinderVolumeSource
  fsType:s readOnly:b secretRef:*LocalObjectReference volumeID:s
ClusterTrustBundleProjection
  labelSelector:*LabelSelector name:s optional:b path:s signerName:s
ConfigMapProjection
  items:[]KeyToPath name:s optional:b
ConfigMapVolumeSource
  defaultMode:n items:[]KeyToPath name:s optional:b
DownwardAPIProjection
  items:[]DownwardAPIVolumeFile
DownwardAPIVolumeFile
  fieldRef:*ObjectFieldSelector mode:n path:s resourceFieldRef:*ResourceFieldSelector
DownwardAPIVolumeSource
  defaultMode:n items:[]DownwardAPIVolumeFile
EmptyDirVolumeSource
  medium:s sizeLimit:u
EphemeralVolumeSource
  volumeClaimTemplate:*PersistentVolumeClaimTemplate
FCVolumeSource
  fsType:s lun:n readOnly:b targetWWNs:[]s wwids:[]s
FlexVolumeSource
  driver:s fsType:s options:{}s readOnly:b secretRef:*LocalObjectReference
FlockerVolumeSource
  datasetName:s datasetUUID:s
GCEPersistentDiskVolumeSource
  fsType:s partition:n pdName:s readOnly:b
GitRepoVolumeSource
  directory:s repository:s revision:s
GlusterfsVolumeSource
  endpoints:s path:s readOnly:b
HostPathVolumeSource
  path:s type:s
ISCSIVolumeSource
  chapAuthDiscovery:b chapAuthSession:b fsType:s initiatorName:s iqn:s iscsiInterface:s lun:n portals:[]s readOnly:b
  secretRef:*LocalObjectReference targetPortal:s
ImageVolumeSource
  pullPolicy:s reference:s
KeyToPath
  key:s mode:n path:s
NFSVolumeSource
  path:s readOnly:b server:s
PersistentVolumeClaimSpec
  accessModes:[]s dataSource:*TypedLocalObjectReference dataSourceRef:*TypedObjectReference resources:VolumeResourceRequirements
  selector:*LabelSelector storageClassName:s volumeAttributesClassName:s volumeMode:s volumeName:s
PersistentVolumeClaimTemplate
  metadata:ObjectMeta spec:PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource
  claimName:s readOnly:b
PhotonPersistentDiskVolumeSource
  fsType:s pdID:s
PodCertificateProjection
  certificateChainPath:s credentialBundlePath:s keyPath:s keyType:s maxExpirationSeconds:n signerName:s userAnnotations:{}s
PortworxVolumeSource
  fsType:s readOnly:b volumeID:s
ProjectedVolumeSource
  defaultMode:n sources:[]VolumeProjection
QuobyteVolumeSource
  group:s readOnly:b registry:s tenant:s user:s volume:s
RBDVolumeSource
  fsType:s image:s keyring:s monitors:[]s pool:s readOnly:b secretRef:*LocalObjectReference user:s
ScaleIOVolumeSource
  fsType:s gateway:s protectionDomain:s readOnly:b secretRef:*LocalObjectReference sslEnabled:b storageMode:s storagePool:s system:s
  volumeName:s
SecretProjection
  items:[]KeyToPath name:s optional:b
SecretVolumeSource
  defaultMode:n items:[]KeyToPath optional:b secretName:s
ServiceAccountTokenProjection
  audience:s expirationSeconds:n path:s
StorageOSVolumeSource
  fsType:s readOnly:b secretRef:*LocalObjectReference volumeName:s volumeNamespace:s
TypedLocalObjectReference atomic
  apiGroup:s kind:s name:s
TypedObjectReference
  apiGroup:s kind:s name:s namespace:s
Volume
  awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource azureDisk:*AzureDiskVolumeSource azureFile:*AzureFileVolumeSource
  cephfs:*CephFSVolumeSource cinder:*CinderVolumeSource configMap:*ConfigMapVolumeSource csi:*CSIVolumeSource
  downwardAPI:*DownwardAPIVolumeSource emptyDir:*EmptyDirVolumeSource ephemeral:*EphemeralVolumeSource fc:*FCVolumeSource
  flexVolume:*FlexVolumeSource flocker:*FlockerVolumeSource gcePersistentDisk:*GCEPersistentDiskVolumeSource
  gitRepo:*GitRepoVolumeSource glusterfs:*GlusterfsVolumeSource hostPath:*HostPathVolumeSource image:*ImageVolumeSource
  iscsi:*ISCSIVolumeSource name:s="" nfs:*NFSVolumeSource persistentVolumeClaim:*PersistentVolumeClaimVolumeSource
  photonPersistentDisk:*PhotonPersistentDiskVolumeSource portworxVolume:*PortworxVolumeSource projected:*ProjectedVolumeSource
  quobyte:*QuobyteVolumeSource rbd:*RBDVolumeSource scaleIO:*ScaleIOVolumeSource secret:*SecretVolumeSource
  storageos:*StorageOSVolumeSource vsphereVolume:*VsphereVirtualDiskVolumeSource
VolumeProjection
  clusterTrustBundle:*ClusterTrustBundleProjection configMap:*ConfigMapProjection downwardAPI:*DownwardAPIProjection
  podCertificate:*PodCertificateProjection secret:*SecretProjection serviceAccountToken:*ServiceAccountTokenProjection
VolumeResourceRequirements
  limits:{}u requests:{}u
VsphereVirtualDiskVolumeSource
  fsType:s storagePolicyID:s storagePolicyName:s volumePath:s
`;
