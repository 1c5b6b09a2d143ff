import { findGoalWords } from './goal/goal-reader.js'
import { readAnswer } from './goal/read-answer.js'
import { readDescription } from './goal/read-description.js'
import { readSiteIndex } from './goal/site-search/read-site-index.js'
import * as json from './json/tasks.js'
import { continueSeries } from './list/data/continue-series.js'
import { findListInData } from './list/data/find-list-in-data.js'
import { learnSeries } from './list/data/learn-series.js'
import { findNextInData } from './list/data/next-page-data.js'
import { readLoginSigns } from './login/read-login-signs.js'
import * as offers from './offers/tasks.js'
import { findInjections } from './prompt-injection/find-injections.js'
import * as twins from './twins/tasks.js'
import { findUnsafeLinks } from './unsafe-links/find-unsafe-links.js'

/**
 * Tasks of features that run in worker threads, by feature and task. A file of its own: the code of a thread is one script, and
 * would have all code that `features/index.ts` leads to.
 */
export const featureTasks: Readonly<Record<string, unknown>> = {
  'goal/searchAnswer': readAnswer,
  'goal/searchDescription': readDescription,
  'goal/siteIndex': readSiteIndex,
  'goal/words': findGoalWords,
  'json/applyRule': json.applyRule,
  'json/outline': json.outline,
  'list/continueSeries': continueSeries,
  'list/learnSeries': learnSeries,
  'list/listInData': findListInData,
  'list/nextPage': findNextInData,
  'login/signs': readLoginSigns,
  'offers/menu': offers.findMenu,
  'offers/prices': offers.findPrices,
  'offers/products': offers.findProducts,
  'prompt-injection/find': findInjections,
  'twins/twinLink': twins.findTwinLink,
  'twins/compareTwin': twins.compareTwin,
  'unsafe-links/find': findUnsafeLinks,
}
