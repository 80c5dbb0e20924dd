import { sqliteMigrations } from './sqlite-schema.ts'

/** The number of the newest step of the schema that this version knows; it is the same for both engines. */
export const SCHEMA_STEP = sqliteMigrations.length
