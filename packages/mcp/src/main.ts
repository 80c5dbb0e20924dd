#!/usr/bin/env node
import { mcp } from './mcp.ts'

process.exitCode = await mcp(process.argv.slice(2))
