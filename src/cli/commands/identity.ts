import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createIdentity } from '../../index.js'
import { makeFolderNow } from '../../base/folder/make-folder-now.js'
import type { Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { identityCommandFlags } from '../flags/command-flags.js'
import { UsageError } from '../usage-error.js'

/** `trawl identity FOLDER` makes a key to sign requests with, and the directory file for sites. */
export const identityCommand: Command = {
  name: 'identity',
  argument: 'FOLDER',
  summary:
    'Makes a key that signs requests (Web Bot Auth), readable by you alone, and the directory file that your site has to serve.',
  example: ['trawl identity keys/', 'Makes the key and the directory file:'],
  scrapesNothing: true,
  flags: () => identityCommandFlags,
  run: async ({ argument: folder, options, terminal }) => {
    const keyFile = join(folder, 'identity-key.pem')
    const directoryFile = join(folder, 'http-message-signatures-directory')
    for (const file of [keyFile, directoryFile]) {
      if (existsSync(file)) throw new UsageError([`FOLDER: ${file} exists, and is not replaced`])
    }
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
      throw new UsageError([`FOLDER: ${folder} is not a folder`])
    }
    const { key, directory } = createIdentity()
    makeFolderNow(folder)
    writeFileSync(keyFile, key, { mode: 0o600, flag: 'wx' })
    writeFileSync(directoryFile, directory, { flag: 'wx' })
    const files = { keyFile, directoryFile }
    await terminal.print(`${options.json === true ? JSON.stringify(files) : describeFiles(files)}\n`)
    return exitCodes.ok
  },
}

const describeFiles = ({ keyFile, directoryFile }: { keyFile: string; directoryFile: string }): string =>
  [
    `${keyFile}: the private key. Keep it secret.`,
    `${directoryFile}: serve it at https://YOUR-HOST/.well-known/http-message-signatures-directory`,
    'as application/http-message-signatures-directory+json. Then sign with',
    `--identity '${JSON.stringify({ key: keyFile, directoryUrl: 'https://YOUR-HOST' })}'`,
  ].join('\n')
