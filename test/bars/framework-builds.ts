import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { frameworkPages } from './framework-pages.js'

/** How the pages of one tool are built. */
export interface FrameworkBuild {
  readonly project: string
  /** Exact versions, so that the same pages come of it. */
  readonly packages: Readonly<Record<string, string>>
  /** Arguments of `node`, in the project's folder. */
  readonly command: readonly string[]
  /** Where the site is then. */
  readonly out: string
}

const react = { react: '19.3.1', 'react-dom': '19.3.1' }
const svelte = { svelte: '5.57.3' }
const angular = '20.3.32'
const angularTools = '20.3.36'

export const frameworkBuilds: readonly FrameworkBuild[] = [
  {
    project: 'plain',
    packages: {
      ...react,
      ...svelte,
      '@apollo/client': '4.3.8',
      graphql: '16.15.0',
      rxjs: '7.8.2',
      vue: '3.5.45',
      preact: '11.2.0',
      'preact-render-to-string': '6.8.2',
      'solid-js': '1.9.19',
      lit: '3.3.3',
      '@lit-labs/ssr': '4.1.0',
      esbuild: '0.28.2',
    },
    command: ['build.mjs', 'out'],
    out: 'out',
  },
  {
    project: 'next',
    packages: { ...react, next: '16.4.6' },
    command: ['node_modules/next/dist/bin/next', 'build'],
    out: 'out',
  },
  {
    project: 'nuxt',
    packages: { nuxt: '4.2.2' },
    command: ['node_modules/nuxt/bin/nuxt.mjs', 'generate'],
    out: '.output/public',
  },
  {
    project: 'kit',
    packages: {
      ...svelte,
      '@sveltejs/kit': '2.70.4',
      '@sveltejs/adapter-static': '3.0.9',
      '@sveltejs/vite-plugin-svelte': '6.2.4',
      vite: '7.3.8',
    },
    command: ['build.mjs'],
    out: 'build',
  },
  {
    project: 'astro',
    packages: { ...react, astro: '5.16.0', '@astrojs/react': '4.4.2' },
    command: ['node_modules/astro/astro.js', 'build'],
    out: 'dist',
  },
  {
    project: 'router',
    packages: {
      ...react,
      'react-router': '7.9.6',
      '@react-router/dev': '7.9.6',
      '@react-router/node': '7.9.6',
      isbot: '5.2.3',
      vite: '7.3.8',
    },
    command: ['node_modules/@react-router/dev/bin.js', 'build'],
    out: 'build/client',
  },
  {
    project: 'angular',
    packages: {
      ...Object.fromEntries(
        ['core', 'common', 'compiler', 'compiler-cli', 'platform-browser', 'platform-server', 'router'].map((name) => [
          `@angular/${name}`,
          angular,
        ]),
      ),
      '@angular/build': angularTools,
      '@angular/cli': angularTools,
      '@angular/ssr': angularTools,
      rxjs: '7.8.2',
      tslib: '2.8.1',
      typescript: '5.9.3',
    },
    command: ['node_modules/@angular/cli/bin/ng.js', 'build'],
    out: 'dist/browser',
  },
]

const run = promisify(execFile)
const sources = fileURLToPath(new URL('frameworks', import.meta.url))
const quiet = {
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  NG_CLI_ANALYTICS: 'false',
}

/**
 * Installs a project's packages in a folder of its own, and builds its pages, unless they are there already.
 *
 * @returns the folder of the site
 */
export async function buildProject({ project, packages, command, out }: FrameworkBuild, root: string): Promise<string> {
  const cwd = `${root}/${project}`
  if (existsSync(`${cwd}/${out}`)) return `${cwd}/${out}`
  mkdirSync(cwd, { recursive: true })
  cpSync(`${sources}/${project}`, cwd, { recursive: true })
  // Under their own name they would be checked with ours, which know nothing of Angular.
  for (const file of readdirSync(cwd, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.ts.txt')) renameSync(`${cwd}/${file}`, `${cwd}/${file.slice(0, -'.txt'.length)}`)
  }
  const texts = frameworkPages.filter((page) => page.project === project).map(({ name, text }) => [name, text])
  writeFileSync(`${cwd}/texts.json`, JSON.stringify(Object.fromEntries(texts)))
  writeFileSync(`${cwd}/package.json`, JSON.stringify({ private: true, type: 'module', dependencies: packages }))
  // Their frames of mind must not be those of a test run.
  const { NODE_ENV: _environment, VITEST: _vitest, ...outer } = process.env
  const options = { cwd, env: { ...outer, ...quiet }, maxBuffer: 64 * 1024 * 1024 }
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], options)
  await run(process.execPath, command, options)
  return `${cwd}/${out}`
}
