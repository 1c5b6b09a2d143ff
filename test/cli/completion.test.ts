import { execFile, execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import * as commands from '../../src/cli/commands/index.js'
import { flagsOf } from '../../src/cli/run-command-line.js'
import { typedNames } from '../../src/cli/shells/listed-command.js'
import packageJson from '../../package.json' with { type: 'json' }
import { runHere } from './run-here.js'
import { makeFolder } from './start-cli.js'

const run = promisify(execFile)

/** True if a program is on this machine. */
function has(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const names = Object.values(commands).map(({ name }) => name)
const scriptOf = async (shell: string): Promise<string> => (await runHere(['completion', shell])).stdout

describe('trawl completion', () => {
  it.each(['bash', 'zsh', 'fish'])('names every command and every flag in the script of %s', async (shell) => {
    const { code, stdout, stderr } = await runHere(['completion', shell])
    expect([code, stderr]).toEqual([0, ''])
    const words = new Set(stdout.match(/[\w-]+/g))
    for (const command of Object.values(commands)) {
      expect(words).toContain(command.name)
      for (const name of flagsOf(command).flatMap(typedNames))
        expect(words).toContain(shell === 'fish' ? name.slice(2) : name)
    }
  })

  it('refuses another shell, and gives the script as JSON', async () => {
    expect(await runHere(['completion', 'csh'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SHELL: "csh" is none of bash, zsh, fish') as unknown,
    })
    const { stdout } = await runHere(['completion', 'bash', '--json'])
    expect(JSON.parse(stdout)).toEqual({ shell: 'bash', script: await scriptOf('bash') })
  })

  describe.skipIf(!has('bash'))('in bash', () => {
    let script: string
    beforeAll(async () => {
      script = await scriptOf('bash')
    })

    /** Completes the last word, as bash divides the line. */
    async function complete(...words: readonly string[]): Promise<string[]> {
      const line = words.map((word) => `'${word}'`).join(' ')
      const program = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _trawl; printf '%s\\n' "\${COMPREPLY[@]}"`
      const { stdout } = await run('bash', ['--norc', '-u', '-c', program])
      return stdout.split('\n').filter(Boolean)
    }

    it.each([
      [
        ['trawl', ''],
        [...names, '--help', '--version'],
      ],
      [['trawl', 'cr'], ['crawl']],
      [
        ['trawl', 'completion', ''],
        ['bash', 'zsh', 'fish'],
      ],
      [['trawl', 'crawl', 'https://a.com', '--include-p'], ['--include-paths']],
      [['trawl', 'crawl', '--no-block'], ['--no-block-ads']],
      [
        ['trawl', 'crawl', '--sitemap', ''],
        ['include', 'skip', 'only'],
      ],
      [['trawl', 'crawl', '--sitemap', '=', 's'], ['skip']],
      [['trawl', 'scrape', '--formats', 'mark'], ['markdown']],
      [['trawl', 'crawl', '--limit', ''], []],
      [['trawl', 'report', ''], []],
    ])('completes %j', async (words, expected) => {
      expect(await complete(...words)).toEqual(expected)
    })

    it('is what `complete` says for trawl', async () => {
      const { stdout } = await run('bash', ['--norc', '-c', `${script}\ncomplete -p trawl`])
      expect(stdout).toContain('-F _trawl trawl')
    })
  })

  describe.skipIf(!has('zsh'))('in zsh', () => {
    it.each([
      ['trawl cra', 'trawl crawl '],
      ['trawl crawl --include-p', 'trawl crawl --include-paths='],
      ['trawl crawl --sitemap sk', 'trawl crawl --sitemap skip '],
      ['trawl completion fi', 'trawl completion fish '],
    ])(
      'completes %j',
      async (line, expected) => {
        await using folder = await makeFolder()
        await writeFile(folder.in('_trawl'), await scriptOf('zsh'))
        // A terminal of its own, because zsh completes only there: Tab, then a widget that prints the line.
        const program = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1= PS2= RPS1=; fpath=(${folder.path} $fpath); autoload -U compinit; compinit -u -D; show() { print -r -- "<<$BUFFER>>"; exit }; zle -N show; bindkey "^X" show; print READ""Y'
zpty -r -m shell line '*READY*'
zpty -n -w shell '${line}'$'\\t'$'\\x18'
zpty -r -m shell line '*>>*'
print -r -- "$line"`
        const { stdout } = await run('zsh', ['-f', '-c', program], { timeout: 30_000 })
        expect(/<<(.*?)>>/s.exec(stdout)?.[1]).toBe(expected)
      },
      40_000,
    )
  })

  describe.skipIf(!has('fish'))('in fish', () => {
    it.each([
      ['trawl cra', ['crawl']],
      ['trawl crawl --include-p', ['--include-paths']],
      ['trawl crawl --sitemap ', ['include', 'only', 'skip']],
      ['trawl completion ', ['bash', 'fish', 'zsh']],
    ])('completes %j', async (line, expected) => {
      await using folder = await makeFolder()
      await writeFile(folder.in('trawl.fish'), await scriptOf('fish'))
      const program = `source ${folder.in('trawl.fish')}; complete -C '${line}'`
      const env = { ...process.env, HOME: folder.path, XDG_CONFIG_HOME: folder.path, XDG_DATA_HOME: folder.path }
      const { stdout, stderr } = await run('fish', ['--no-config', '-c', program], { env })
      const found = stdout.split('\n').flatMap((row) => row.split('\t')[0] || [])
      expect([found.sort(), stderr]).toEqual([expected, ''])
    })
  })
})

describe('trawl man', () => {
  it('has every command, flag and exit code, and the version', async () => {
    const { code, stdout } = await runHere(['man'])
    expect(code).toBe(0)
    const text = stdout.replaceAll('\\-', '-')
    expect(text).toContain(`"trawl ${packageJson.version}"`)
    for (const command of Object.values(commands)) {
      expect(text).toContain(`.B ${command.name}`)
      for (const { name } of flagsOf(command)) expect(text).toContain(`--${name}`)
    }
    expect(text).toContain('.B 129, 130, 143')
  })

  it.skipIf(!has('groff'))('is read by groff without a warning', async () => {
    await using folder = await makeFolder()
    await writeFile(folder.in('trawl.1'), (await runHere(['man'])).stdout)
    const { stdout, stderr } = await run('groff', ['-ww', '-man', '-Tascii', '-P-c', folder.in('trawl.1')], {
      maxBuffer: 1e8,
    })
    expect(stderr).toBe('')
    // Bold letters are printed twice.
    const text = stdout.replaceAll(/.[\b]/g, '')
    expect(text).toContain('trawl - scrape and crawl web sites')
    expect(text).toContain('-o, --output <text>')
  })

  it.skipIf(!has('mandoc'))('is read by mandoc without a warning', async () => {
    await using folder = await makeFolder()
    await writeFile(folder.in('trawl.1'), (await runHere(['man'])).stdout)
    const { stdout } = await run('mandoc', ['-T', 'lint', '-W', 'warning', folder.in('trawl.1')]).catch(
      (error: { stdout: string }) => error,
    )
    // The page is made when it is asked for, so that it has no date.
    expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([])
  })

  it('gives the definitions of commands and flags as JSON', async () => {
    const { stdout } = await runHere(['man', '--json'])
    const program = JSON.parse(stdout) as { commands: { name: string; flags: { name: string; default?: unknown }[] }[] }
    expect(program.commands.map(({ name }) => name)).toEqual(names)
    const crawl = program.commands.find(({ name }) => name === 'crawl')
    expect(crawl?.flags.find(({ name }) => name === 'limit')?.default).toBe(10_000)
  })
})
