export { createEngine } from './features/create-engine.js'
export type * from './features/index.js'
export { batchScrape, crawl, scrape } from './features/default-engine.js'
export type {
  CallOptions,
  CloseOptions,
  Engine,
  JobCallOptions,
  PageWorker,
  ResumeOptions,
  WorkOptions,
} from './engine/engine-surface.js'
export type { EngineHealth } from './engine/engine-health.js'
export type { WorkerCounts } from './engine/worker-counts.js'
export { createIdentity } from './fetch/identity/create-identity.js'
export type { NewIdentity } from './fetch/identity/create-identity.js'
export type { IdentityConfig } from './options/fields/identity.js'
export type { ProxiesConfig, ProxyLists } from './options/fields/proxies.js'
export type { EngineConfig } from './options/engine-config.js'
export type { ResumeEvents } from './options/engine/job-config.js'

export type { BatchScrapeRequest } from './options/batch-options.js'
export type { MapRequest } from './options/map-options.js'
export type { CrawlRequest } from './options/crawl-options.js'
export type { V1CrawlRequest, V1ScrapeOptions } from './options/v1-options.js'
export type { ParseInput } from './options/parse-input.js'
export type { ScrapeOptions } from './options/scrape-options.js'
export type { FormatItem } from './options/fields/formats.js'

export type {
  WatchedCrawl,
  WatchReportEvent,
  WatchRequest,
  WatchTarget,
  WatchWebhook,
} from './options/watch-options.js'
export type {
  ChangeReason,
  CheckSummary,
  Watch,
  WatchCheck,
  WatchEvents,
  WatchOverview,
  WatchResult,
  WatchStatus,
} from './watch/watch.js'
export type { ChangeField } from './compare/change-field.js'

export type { Document, DocumentMetadata, DocumentOf, DocumentSince } from './page/document.js'
export type { ChangeTracking } from './enrich/formats/change-tracking.js'
export type { PageDiff } from './compare/compare.js'
export type { ChangedBlock } from './compare/match-passages.js'
export type { DiffFile } from './compare/line-diff.js'
export type { PageMetadata } from './extract/page-metadata.js'
export type {
  Permission,
  Permissions,
  PermissionStatement,
  StatedUses,
  Use,
} from './frontier/permissions/permissions.js'
export type { Fidelity } from './extract/fidelity/fidelity.js'
export type { DroppedBlock } from './extract/fidelity/dropped-block.js'
export type { Evidence } from './enrich/json/citations.js'
export type { Menu, MenuItem, MenuPrice, MenuSection } from './enrich/offers/menu.js'
export type { Product, ProductVariant } from './enrich/offers/product.js'
export type { Chunk } from './convert/split/chunk-markdown.js'
export type { InvalidRow, List } from './enrich/row-list.js'
export type { ListField, ListRow, ListValue } from './extract/list/page-list.js'
export type { FileBlock, FilePage } from './convert/write/write-parts.js'
export type {
  BatchScrapeJob,
  CrawlJob,
  Job,
  JobErrors,
  JobEvents,
  JobKind,
  JobProgress,
  JobState,
  JobStatus,
  PageError,
  ReportType,
  StartResponse,
  UndeliveredReport,
} from './job/job.js'
export type { JobActivity, PageActivity } from './job/job-activity.js'
export type { PageStep } from './fetch/fetcher.js'
export type { JobItems } from './job/job-items.js'
export type { JobSearch } from './job/job-search.js'
export type { UnseenUrl } from './job/unseen-url.js'
export type { JobOverview } from './job/list-jobs.js'
export type { RowQuery } from './plan/row-query.js'
export type { Credits } from './job/credit-account.js'
export type { JobBudget, JobUse } from './accounting/budget.js'
export type { CrawlerOptions } from './plan/crawl/crawl-prompt.js'
export type { PromptedOptions } from './plan/crawl/generated-options.js'
export type { CrawlForecast } from './job/discovery/forecast.js'
export type { SiteMap } from './job/discovery/site-map.js'
export type { Attempt, LedgerRow, LinkScore, Outcome, Refusal, SkipReason, Source, Via } from './ledger/ledger.js'
export type { GoalCoverage, GoalFacet } from './relevance/goal-progress.js'
export type { UntilOptions } from './options/fields/until.js'

export { readStoredJob } from './report/read-stored-job.js'
export type { ReportedJob } from './report/reported-job.js'
export { writeReport } from './report/write-report.js'
export type { WriteReportOptions, WrittenReport } from './report/write-report.js'

export { ActionError, errorTable, InvalidRequestError, TrawlError } from './errors.js'
export type { ErrorCode, ErrorRow, RequestIssue } from './errors.js'
export type { Logger, LogLevel, LogMethod } from './tracing/logger.js'
export type {
  AttemptSpan,
  DigestSpan,
  FetchSpan,
  JobSpan,
  LedgerSpan,
  ModelSpan,
  PageSpan,
  ParentSpan,
  TraceSpans,
} from './tracing/spans.js'

export { ModelError } from './llm/llm.js'
export type {
  LanguageModel,
  ModelAnswer,
  ModelErrorOptions,
  ModelRequest,
  ModelTools,
  ModelUsage,
  PostAnswer,
} from './llm/llm.js'
export type { Embed, EmbedContext } from './llm/embedder.js'
export type { ModelSettings } from './llm/model-client.js'
export type { ModelPrice } from './llm/spending.js'
export { aiSdk, openAiCompatible } from './llm/providers/index.js'
export type { AiSdkModel } from './llm/providers/ai-sdk.js'
export type { OpenAiCompatibleOptions } from './llm/providers/open-ai-compatible.js'
export type { ImageFacts, ImageParser } from './parse/image-parser.js'
export type { MediaFile, MediaSink } from './media/media.js'
export { s3Media } from './media/s3-media.js'
export type { S3MediaOptions } from './media/s3-media.js'
export { readMedia, storeMedia } from './media/store-media.js'
export type { StoredMedia, StoreMediaOptions } from './media/store-media.js'
export type { ExtractedMedia, MediaExtractor, MediaQuestion } from './media/media-extractor.js'
export type { MediaKind, MediaType } from './media/media-types.js'
export { ytDlp } from './media/yt-dlp.js'
export type { YtDlpOptions } from './media/yt-dlp.js'

export { memoryLedger, postgres, sqlite } from './ledger/ledgers/index.js'
export type { MemoryLedgerOptions } from './ledger/ledgers/memory.js'
export type { PostgresPool } from './postgres/connection-settings.js'
export type { PostgresLedgerOptions } from './ledger/postgres/postgres-options.js'
export type { InterruptedJob as LeftJob, StopReason } from './ledger/job-store.js'
export type { Ledger } from './ledger/ledger.js'
export type { TaskOverview, WorkerOverview } from './ledger/ledger-health.js'
export { tesseractOcr } from './ocr/tesseract-ocr.js'
export type { TesseractOptions } from './ocr/tesseract-ocr.js'
export type { Ocr, PagePicture } from './ocr/ocr.js'

export { tools } from './toolkit/ai-sdk-tools.js'
export type { AiSdkCallOptions, AiSdkSchema, AiSdkTool } from './toolkit/ai-sdk-tools.js'
export { createToolkit } from './toolkit/toolkit.js'
export type { AgentTool, ToolCallOptions, ToolDocument, Toolkit, ToolProgress } from './toolkit/agent-tool.js'
export type { ToolkitOptions } from './options/toolkit-options.js'
export { mcpServer } from './toolkit/mcp-server.js'
export type { McpServer, McpStreams } from './toolkit/mcp-server.js'
export type { McpTransport } from './toolkit/mcp/mcp-sdk.js'

export { file as index } from './search/indexes/index.js'
export type {
  ChunkToEmbed,
  ChunkVector,
  ChunkVectors,
  EmbeddingTurn,
  IndexQuery,
  PageToIndex,
  SearchFilter,
  SearchHit,
  SearchIndex,
  VectorSpace,
} from './search/search-index.js'
export type { Answer, AnswerQuote, FoundAnswer, NoAnswer } from './search/answer.js'
export type { AskOptions, SearchOptions } from './search/search-options.js'
export { fileCache, keyvCache, memoryCache } from './cache/caches/index.js'
export type { MemoryCacheOptions } from './cache/caches/memory.js'
export { storeCache } from './cache/store-cache.js'
export type { PageCache } from './cache/cache.js'
export { fileStore, keyvStore, memoryStore, postgresStore, s3Store } from './store/stores/index.js'
export type { FileStoreOptions } from './store/stores/file.js'
export type { KeyvLike, KeyvStoreOptions } from './store/stores/keyv.js'
export type { PostgresStoreOptions } from './store/stores/postgres.js'
export type { S3StoreOptions } from './store/stores/s3.js'
export type { S3Credentials, S3Options } from './s3/s3-options.js'
export type { Json, Store, StoredEntry } from './store/store.js'
export type { FetchedPage, Redirect } from './fetch/fetched-page.js'
export { folderProfiles } from './fetch/profiles/folder-profiles.js'
export { memoryProfiles } from './fetch/profiles/memory-profiles.js'
export { storeProfiles } from './fetch/profiles/store-profiles.js'
export type { ProfileStore } from './fetch/profiles/profile.js'
export type { FetchLimits } from './fetch/fetcher.js'
export type { RetrySettings } from './fetch/retry.js'
