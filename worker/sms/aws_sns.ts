import type { WorkerConfig } from "../../config/config.ts";
import type { Provider } from "./provider.ts";
import {
  missingVariables,
  resultOfConnectionError,
  resultOfFailedResponse,
  vendorTimeoutMs,
  vendorWord,
} from "./vendor_errors.ts";

type AwsConfig = Pick<
  WorkerConfig,
  "AWS_REGION" | "AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY" | "AWS_SESSION_TOKEN" | "AWS_ENDPOINT_URL_SNS"
>;

/** aws-sns of OTP_PROVIDER; private.provider_options_fault checks its options. */
interface AwsOptions {
  senderId?: string;
  /** Ids of India's registry of senders and texts. */
  entityId?: string;
  templateId?: string;
}

/**
 * SNS has one code for every wrong parameter; its message begins with the name of the parameter. A recipient who opted
 * out is accepted, or is OptedOut. https://docs.aws.amazon.com/sns/latest/api/API_Publish.html, and
 * https://github.com/aws/aws-sdk-js/issues/1368.
 */
const blamesRecipient = ({ name, message }: Error): boolean =>
  name.startsWith("OptedOut") ||
  (name.startsWith("InvalidParameter") && /^Invalid parameter: PhoneNumber\b/.test(message));

/** Creates the provider that publishes to a phone number by Amazon SNS, as a transactional SMS. */
export function createAwsSnsProvider(config: AwsConfig, timeoutMs = vendorTimeoutMs): Provider {
  let loading: ReturnType<typeof loadLibrary> | undefined;
  return {
    unusableReason: () => missingCredentials(config),
    async send({ options, recipient, body }) {
      const { client, PublishCommand, SNSServiceException } = await (loading ??= loadLibrary(config));
      const { senderId, entityId, templateId } = options as AwsOptions;
      const text = (value: string) => ({ DataType: "String", StringValue: value });
      const command = new PublishCommand({
        PhoneNumber: recipient,
        Message: body,
        MessageAttributes: {
          "AWS.SNS.SMS.SMSType": text("Transactional"),
          ...(senderId && { "AWS.SNS.SMS.SenderID": text(senderId) }),
          ...(entityId && { "AWS.MM.SMS.EntityId": text(entityId) }),
          ...(templateId && { "AWS.MM.SMS.TemplateId": text(templateId) }),
        },
      });
      try {
        const { MessageId } = await client.send(command, { abortSignal: AbortSignal.timeout(timeoutMs) });
        return { outcome: "sent", vendorMessageId: vendorWord(MessageId) };
      } catch (error) {
        return error instanceof SNSServiceException
          ? resultOfFailedResponse({
              status: error.$metadata.httpStatusCode ?? 500,
              vendorCode: error.name,
              blamesRecipient: blamesRecipient(error),
              retryAfter: (error.$response as { headers?: Record<string, string> } | undefined)?.headers?.[
                "retry-after"
              ],
            })
          : isWithoutCredentials(error)
            ? { outcome: "declined", reason: "CredentialsProviderError" }
            : resultOfConnectionError(error);
      }
    },
  };
}

/**
 * Without keys the SDK's own chain finds the role of the container, the machine or the profile. Whether there is one
 * shows only when it is used: the machine's metadata is asked over the network.
 */
function missingCredentials(config: AwsConfig): string | undefined {
  const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = config;
  return AWS_ACCESS_KEY_ID === undefined && AWS_SECRET_ACCESS_KEY === undefined
    ? missingVariables({ AWS_REGION })
    : missingVariables({ AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY });
}

/** The chain found no role, so that nothing was requested. */
const isWithoutCredentials = (error: unknown): boolean =>
  (error as { name?: unknown } | undefined)?.name === "CredentialsProviderError";

/** Loads the AWS SDK when it is used for the first time: it takes 150 ms and 20 MB. */
async function loadLibrary(config: AwsConfig) {
  const { SNSClient, PublishCommand, SNSServiceException } = await import("@aws-sdk/client-sns");
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_ENDPOINT_URL_SNS } = config;
  const client = new SNSClient({
    region: config.AWS_REGION ?? "",
    ...(AWS_ACCESS_KEY_ID !== undefined &&
      AWS_SECRET_ACCESS_KEY !== undefined && {
        credentials: {
          accessKeyId: AWS_ACCESS_KEY_ID,
          secretAccessKey: AWS_SECRET_ACCESS_KEY,
          ...(AWS_SESSION_TOKEN !== undefined && { sessionToken: AWS_SESSION_TOKEN }),
        },
      }),
    ...(AWS_ENDPOINT_URL_SNS !== undefined && { endpoint: AWS_ENDPOINT_URL_SNS }),
    // The queue retries, with another code: a retry of the SDK could send the message twice.
    maxAttempts: 1,
  });
  return { client, PublishCommand, SNSServiceException };
}
