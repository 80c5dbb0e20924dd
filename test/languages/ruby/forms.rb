# Writes one request of each operation in each way in which Ruby writes what is unset, for a server that only records
# what it is sent. `TURNKEY_CLIENT` is the folder of the gem, which needs `typhoeus`.
$LOAD_PATH << File.join(ENV.fetch('TURNKEY_CLIENT'), 'lib')
require 'turnkey_client'

ORGANIZATION_ID = ENV.fetch('ORGANIZATION_ID')
url = URI(ENV.fetch('BASE_URL'))
CLIENT = TurnkeyClient::ApiClient.new(
  TurnkeyClient::Configuration.new.tap do |settings|
    settings.api_public_key = ENV.fetch('API_PUBLIC_KEY')
    settings.api_private_key = ENV.fetch('API_PRIVATE_KEY')
    settings.scheme = url.scheme
    settings.host = "#{url.host}:#{url.port}"
  end
)

def named(*parts)
  name = parts.join
  TurnkeyClient.const_get(name) if TurnkeyClient.const_defined?(name)
end

# The newest intent of an operation that the gem knows.
def intent_of(operation)
  [nil, *2..9].filter_map { |version| named(operation, 'Intent', version && "V#{version}") }.last
end

def type_of(method, intent)
  version = intent.name[/V\d+\z/]
  ['ACTIVITY_TYPE', method.to_s.upcase, version].compact.join('_')
end

# Every attribute of a model as nil, under the names that its objects write or under those that they have in Ruby.
def unset(model, in_ruby)
  names = in_ruby ? model.attribute_map.keys : model.attribute_map.values
  names.to_h { |name| [name, nil] }
end

def body_of(method, in_ruby)
  operation = method.to_s.split('_').map(&:capitalize).join
  request = named(operation, 'Request')
  return if request.nil?

  names = request.attribute_map.to_h { |ruby, json| [ruby, in_ruby ? ruby : json] }
  body = unset(request, in_ruby).merge(names[:organization_id] => ORGANIZATION_ID)
  return body unless names.key?(:parameters)

  intent = intent_of(operation)
  return if intent.nil?

  body.merge(
    names[:type] => type_of(method, intent),
    names[:timestamp_ms] => '1700000000000',
    names[:parameters] => unset(intent, in_ruby)
  )
end

def send_to(api, method, body)
  api.public_send(method, body)
rescue TurnkeyClient::ApiError
  # The recorder refuses everything.
end

# The first request of its README.
send_to(TurnkeyClient::SessionsApi.new(CLIENT), :get_whoami, { organization_id: ORGANIZATION_ID })
TurnkeyClient.constants.grep(/Api\z/).sort.each do |name|
  api = TurnkeyClient.const_get(name).new(CLIENT)
  methods = api.class.instance_methods(false).reject { |method| method.match?(/_with_http_info\z|api_client/) }
  methods.sort.each do |method|
    [false, true].each do |in_ruby|
      body = body_of(method, in_ruby)
      send_to(api, method, body) unless body.nil?
    end
  end
end
