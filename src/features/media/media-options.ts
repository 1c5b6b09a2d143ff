import { isFunction } from '../../kernel/options/engine/value-tests.js'
import { mustBe } from '../../base/issues/describe-issue.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import type { MediaExtractor } from './media-extractor.js'

/** Settings of an engine for audio and video. */
export interface MediaConfig {
  /**
   * ffmpeg, which extracts audio from video and converts it to MP3 for format `audio`: its path, or its name on the search
   * path of the system; false for none. It reads and writes pipes only, and is killed after `fileTimeoutMs`.
   * @default 'ffmpeg'; without the program, audio stays in its format, and audio of videos is not available
   */
  ffmpeg?: string | false
  /**
   * Finds the audio and video of pages whose markup does not name them, such as those of hosting sites, for formats `audio`
   * and `video`: `ytDlp()`, or a function of your own. @default none: such pages fail
   */
  mediaExtractor?: MediaExtractor
}

/** The program where `ffmpeg` is not given. */
export const DEFAULT_FFMPEG = 'ffmpeg'

/** Definitions of {@link MediaConfig}. @internal */
export const mediaDefinitions = {
  ffmpeg: {
    schema: (z) => z.union([z.literal(false), z.string().min(1)]).optional(),
    default: DEFAULT_FFMPEG,
    help: 'Program that extracts audio from video. Default: ffmpeg, if installed',
  },
  mediaExtractor: { schema: (z) => z.custom<MediaExtractor>(isFunction, mustBe('a function')).optional(), help: false },
} as const satisfies OptionDefinitions<MediaConfig>
