/** The settings of the database by default. */
export const postgresDefaults = {
  connectionsMax: 8,
  listConnectionsMax: 4,
  connectMs: 10_000,
  statementMs: 30_000,
  listMs: 5_000,
} as const
