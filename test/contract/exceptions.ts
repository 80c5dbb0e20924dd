/**
 * Policies were once made of selectors; their conditions cannot be told from those of today, and no client sends them.
 */
export const olderFormsLeftOut: readonly string[] = [
  'ACTIVITY_TYPE_CREATE_POLICY',
  'ACTIVITY_TYPE_CREATE_POLICY_V2',
]

type Exception = {
  readonly of: 'ACTIVITY_TYPE_' | 'QUERY'
  readonly like: RegExp
  readonly why: string
}

/** Where our forms differ from the published ones, and why. */
export const exceptions: readonly Exception[] = [
  {
    of: 'ACTIVITY_TYPE_',
    like: /^ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT\.redeliver: ours alone$/,
    why: 'a type of our own would stand in lists of activities, which clients with closed enums could not read',
  },
  {
    of: 'ACTIVITY_TYPE_',
    like: /_ORGANIZATION_FEATURE →\.serviceFeatures: ours alone$/,
    why: 'features of this service alone never stand in a list of published names',
  },
  {
    of: 'QUERY',
    like: /^get_organization(_configs)? →\.(configs|organizationData)\.serviceFeatures: ours alone$/,
    why: 'features of this service alone never stand in a list of published names',
  },
  {
    of: 'ACTIVITY_TYPE_',
    like: /^ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE\.value: required, ours optional$/,
    why: 'the specification shows features that are switched on without a value',
  },
  {
    of: 'ACTIVITY_TYPE_',
    like: /^ACTIVITY_TYPE_CREATE_POLIC[A-Z0-9_]+(\.policies\[\])?\.notes: required, ours optional$/,
    why: 'samples of published clients leave the notes out: they are the empty text',
  },
  {
    of: 'ACTIVITY_TYPE_',
    like: /\.apiKeys\[\]\.curveType: required, ours optional$/,
    why: 'samples of published clients leave the curve out, from before it was named: it is P-256',
  },
  {
    of: 'ACTIVITY_TYPE_',
    like: /^ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION(_V\d)?\.rootUsers\[\]\.userName: required, ours optional$/,
    why: 'sign-ups of published clients leave the name empty where there is no address: it is `Root user`',
  },
  {
    of: 'QUERY',
    like: /^list_activities\.filterByType\[\]: an enum, ours any text$/,
    why: 'a type that no activity has finds none, so that a filter for types of later versions is no error',
  },
  {
    of: 'QUERY',
    like: /^get_organization →\.organizationData\.smartContractInterfaceReferences: missing$/,
    why: 'the field is optional, its digest is not described, and list_smart_contract_interfaces has the interfaces',
  },
  {
    of: 'QUERY',
    like: /wallet_accounts? →\.accounts?(\[\])?\.caip2Prefix: missing$/,
    why: 'the field is optional, and an account is of no one chain: its key signs for many',
  },
]
