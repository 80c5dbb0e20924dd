import { fileURLToPath } from 'node:url'
import webpack from 'webpack'
import config from './webpack.config.js'

// As its command line does, but quickly: nothing is made smaller.
const output = { path: fileURLToPath(new URL('./dist/', import.meta.url)), filename: 'main.js' }
webpack({ ...config, mode: 'none', output }, (error, stats) => {
  if (error !== null || stats.hasErrors())
    throw error ?? new Error(stats.toString({ all: false, errors: true }))
})
